import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type AfterWriting, RequestBatcher, TURNS_TOGETHER } from './request-batcher.ts';

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

/** No batch is being written. */
const atOnce: AfterWriting = (run) => run();

/** A batch that is being written until `answer` is called. */
class Writing {
  #answered: () => void = () => {};
  readonly afterWriting: AfterWriting = (run) => {
    this.#answered = run;
  };

  answer(): void {
    this.#answered();
  }
}

test('[REQ-63] requests that arrive together wait for the last one, then run in arrival order', async () => {
  const done: string[] = [];
  const requestBatcher = new RequestBatcher<string>((each) => done.push(each), atOnce);
  for (const each of ['first', 'second', 'third']) {
    requestBatcher.add(each);
    await Promise.resolve();
    expect(done).toEqual([]);
  }
  await turns(TURNS_TOGETHER);
  expect(done).toEqual(['first', 'second', 'third']);
});

test('[REQ-65] a request a few turns later joins the batch, a later one does not', async () => {
  const done: string[] = [];
  const requestBatcher = new RequestBatcher<string>((each) => done.push(each), atOnce);
  requestBatcher.add('first');
  await turns(TURNS_TOGETHER - 1);
  expect(done).toEqual([]);
  requestBatcher.add('second');
  await nextTurn();
  expect(done).toEqual(['first', 'second']);
  requestBatcher.add('third');
  await turns(TURNS_TOGETHER - 1);
  expect(done).toEqual(['first', 'second']);
  await nextTurn();
  expect(done).toEqual(['first', 'second', 'third']);
});

test('[REQ-63] a request that arrives during a batch is in the next one', async () => {
  const done: string[] = [];
  const requestBatcher = new RequestBatcher<string>((each) => {
    if (each === 'first') requestBatcher.add('late');
    done.push(each);
  }, atOnce);
  requestBatcher.add('first');
  requestBatcher.add('second');
  await turns(TURNS_TOGETHER);
  expect(done).toEqual(['first', 'second']);
  await turns(TURNS_TOGETHER);
  expect(done).toEqual(['first', 'second', 'late']);
});

test('[REQ-64] requests that arrive while a batch is written run together when it has been answered', async () => {
  const done: string[] = [];
  const writing = new Writing();
  const requestBatcher = new RequestBatcher<string>(
    (each) => done.push(each),
    writing.afterWriting,
  );
  requestBatcher.add('first');
  await turns(TURNS_TOGETHER);
  requestBatcher.add('second');
  expect(done).toEqual([]);
  writing.answer();
  expect(done).toEqual(['first', 'second']);
  requestBatcher.add('third');
  await turns(TURNS_TOGETHER);
  expect(done).toEqual(['first', 'second']);
  writing.answer();
  expect(done).toEqual(['first', 'second', 'third']);
});

test('[REQ-64] a slow write is not waited for, and no request runs twice when it ends', async () => {
  const done: string[] = [];
  const writing = new Writing();
  const requestBatcher = new RequestBatcher<string>(
    (each) => done.push(each),
    writing.afterWriting,
  );
  requestBatcher.add('first');
  await pause(50);
  expect(done).toEqual(['first']);
  writing.answer();
  expect(done).toEqual(['first']);
  requestBatcher.add('second');
  await pause(50);
  expect(done).toEqual(['first', 'second']);
});
