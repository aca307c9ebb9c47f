import { describe } from 'vitest';
import { liveSeedsFrom } from './seeds.ts';

describe('seeds from 14 on', () => liveSeedsFrom(14));
