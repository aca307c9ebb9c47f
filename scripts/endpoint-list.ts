/** Lists every call of both APIs on one line, so that a review shows changes to the API. */
import type { Endpoint } from '../src/contract/endpoint.ts';
import type { JsonSchema } from '../src/contract/schema.ts';
import type { ApiSurface } from '../src/contract/surfaces.ts';

const INTRODUCTION = [
  '# Every call on one line. `npm run docs` writes this file from the tables in src/contract.',
  '# METHOD path [other paths] | permission | calls a second / counted by | request | response data',
  '# A request field with * is required. A response field with ? is not in every answer.',
];

type Mark = (isRequired: boolean) => string;
const markRequired: Mark = (isRequired) => (isRequired ? '*' : '');
const markOptional: Mark = (isRequired) => (isRequired ? '' : '?');

/** The fields of an object, `name[]{…}` for a list of objects. */
function fieldsText({ properties = {}, required = [] }: JsonSchema, mark: Mark): string {
  return Object.entries(properties)
    .map(([name, child]) => `${name}${mark(required.includes(name))}${insideText(child, mark)}`)
    .join(' ');
}

function insideText(schema: JsonSchema, mark: Mark): string {
  if (schema.type === 'array') return `[]${insideText(schema.items ?? {}, mark)}`;
  return schema.properties === undefined ? '' : `{${fieldsText(schema, mark)}}`;
}

/** The outermost object needs no braces. */
const schemaText = (schema: JsonSchema, mark: Mark): string =>
  schema.properties === undefined ? insideText(schema, mark) : fieldsText(schema, mark);

const limitText = ({ limit }: Endpoint): string =>
  limit === undefined ? '-' : `${limit.perSecond}/${limit.countedBy}`;

/** Fields of such a row stand in the query. */
const uploadText = ({ upload }: Endpoint): string =>
  upload === undefined ? '' : ` + body of ${upload.bytesMax} bytes at most`;

export function endpointLine(row: Endpoint): string {
  const hasFields = Object.keys(row.request.fields).length > 0;
  const cells = [
    [row.method, row.path, ...(row.aliases ?? [])].join(' '),
    row.access,
    limitText(row),
    `${hasFields ? schemaText(row.request.schema, markRequired) : '-'}${uploadText(row)}`,
    schemaText(row.response.schema, markOptional) || '-',
  ];
  return cells.join(' | ');
}

const placeOf = ({ path, method }: Endpoint): string => `${path} ${method}`;
const ofPath = (left: Endpoint, right: Endpoint): number =>
  placeOf(left) < placeOf(right) ? -1 : 1;

export function endpointList(surfaces: readonly ApiSurface[]): string {
  const parts = surfaces.flatMap(({ title, endpoints }) => [
    '',
    `# ${title}`,
    ...Object.values(endpoints).toSorted(ofPath).map(endpointLine),
  ]);
  return `${[...INTRODUCTION, ...parts].join('\n')}\n`;
}
