/**
 * Looks at a running server's own figures now and then: how late its loop was, how much memory it
 * holds, what it is still answering.
 */
import { get } from 'node:http';
import type { Server } from '../server.ts';

export interface Figures {
  readonly loopDelayMsMax: number;
  readonly residentMb: number;
  readonly inFlight: number;
  readonly handlerFailures: number;
  /**
   * Whether a flood was on: then the loop is late because of how much there is to do at once, not
   * because of one request.
   */
  readonly isFlooded: boolean;
}

const LOOK_EVERY_MS = 1_000;

function metricsText(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${server.credentials.operatorToken}` };
    // A connection of its own: one that is kept may be closed by the server, idle for too long,
    // just as it is used again.
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

  /** Begins to look. The first look resets the delays, so that the start does not count. */
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

  /** Looks before and after a flood, so that its delays are told apart. */
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
