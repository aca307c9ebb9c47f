import { describe } from 'vitest';
import { liveSeedsFrom } from './seeds.ts';

describe('seeds from 27 on', () => liveSeedsFrom(27));
