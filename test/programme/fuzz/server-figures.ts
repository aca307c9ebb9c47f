/** Samples the metrics of a running server: event loop delay, memory and requests in flight. */
import { get } from 'node:http';
import type { Server } from '../server.ts';

export interface Figures {
  readonly loopDelayMsMax: number;
  readonly residentMb: number;
  readonly inFlight: number;
  readonly handlerFailures: number;
  /** True during a flood, when the loop is late because of many requests and not because of one. */
  readonly isFlooded: boolean;
}

const LOOK_EVERY_MS = 1_000;

function metricsText(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.credentials.operatorToken}` };
    // A new connection, because the server may close an idle one just as it is used again.
    get(`${server.operatorUrl}/metrics`, { headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(text));
      response.on('error', reject);
    }).on('error', reject);
  });
}

export class ServerFigures {
  readonly #server: Server;
  readonly #seen: Figures[] = [];
  #looking: NodeJS.Timeout | undefined;
  #isFlooded = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Starts sampling. The first sample resets the delays, so that the start does not count. */
  static async watch(server: Server): Promise<ServerFigures> {
    const figures = new ServerFigures(server);
    await figures.sample();
    figures.#seen.length = 0;
    figures.#looking = setInterval(
      () => void figures.sample().catch(() => undefined),
      LOOK_EVERY_MS,
    );
    return figures;
  }

  stop(): void {
    clearInterval(this.#looking);
  }

  /** Samples before and after a flood, to separate its delays. */
  async during(flood: () => Promise<void>): Promise<void> {
    await this.sample();
    this.#isFlooded = true;
    await flood();
    await this.sample();
    this.#isFlooded = false;
  }

  async sample(): Promise<Figures> {
    const isFlooded = this.#isFlooded;
    const text = await metricsText(this.#server);
    const figure = (name: string): number =>
      Number.parseFloat(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 'NaN');
    const figures = {
      loopDelayMsMax: figure('nodejs_eventloop_lag_max_seconds') * 1_000,
      residentMb: figure('process_resident_memory_bytes') / 1024 / 1024,
      inFlight: figure('rialto_requests_in_flight'),
      handlerFailures: figure('rialto_handler_failures_total'),
      isFlooded,
    };
    this.#seen.push(figures);
    return figures;
  }

  summary() {
    const most = (isFlooded: boolean): number =>
      Math.round(
        Math.max(
          0,
          ...this.#seen
            .filter((seen) => seen.isFlooded === isFlooded)
            .map(({ loopDelayMsMax }) => loopDelayMsMax),
        ),
      );
    return {
      loopDelayMsMax: most(false),
      loopDelayMsMaxInFloods: most(true),
      memoryMb: {
        first: Math.round(this.#seen[0]?.residentMb ?? 0),
        last: Math.round(this.#seen.at(-1)?.residentMb ?? 0),
      },
    };
  }
}
