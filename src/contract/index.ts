/** The old name of `endpoints.ts`; import from there. */
export { type OperatorName, operatorEndpoints, type PublicName, publicEndpoints } from './endpoints.ts';
