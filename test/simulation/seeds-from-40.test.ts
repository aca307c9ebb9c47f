import { describe } from 'vitest';
import { liveSeedsFrom } from './seeds.ts';

describe('seeds from 40 on', () => liveSeedsFrom(40));
