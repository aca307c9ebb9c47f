import { describe } from 'vitest';
import { liveSeedsFrom } from './seeds.ts';

describe('seeds from 1 on', () => liveSeedsFrom(1));
