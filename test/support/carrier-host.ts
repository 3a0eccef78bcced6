import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import type {
  CarrierHost,
  CarrierReport,
  CarrierStatus,
  StreamInstruction,
} from '#telephony/port/carrier.js';

export const FINAL_STATUSES: readonly CarrierStatus[] = [
  'completed',
  'busy',
  'no_answer',
  'timeout',
  'rejected',
  'invalid_number',
  'failed',
  'cancelled',
];

/** A carrier host that records reports and gives answered calls a stream. */
export interface RecordingHost extends CarrierHost {
  readonly reports: CarrierReport[];
  readonly answered: { carrier: string; dialRef: string; providerCallId: string }[];
  /** Sets the stream of answered calls; at first they are not wanted. */
  instruct(instruction: () => Promise<StreamInstruction | null>): void;
  /** Fails the next reports. */
  refuseReports(count: number): void;
  /** The reported statuses of a reference, in order of arrival. */
  statuses(dialRef: string): CarrierStatus[];
  /** The same without repetitions. */
  progress(dialRef: string): CarrierStatus[];
  /** Resolves with the first report of this status (default: the first final report) of a reference. */
  reported(dialRef: string, status?: CarrierStatus): Promise<CarrierReport>;
}

export function createRecordingHost(): RecordingHost {
  const reports: CarrierReport[] = [];
  const answered: RecordingHost['answered'] = [];
  const listeners = new Set<() => void>();
  let instruction: () => Promise<StreamInstruction | null> = async () => null;
  let refusals = 0;
  const statuses = (dialRef: string) =>
    reports.filter((report) => report.dialRef === dialRef).map(({ status }) => status);
  return {
    reports,
    answered,
    instruct: (next) => void (instruction = next),
    refuseReports: (count) => void (refusals = count),
    statuses,
    progress: (dialRef) => statuses(dialRef).filter((status, index, all) => status !== all[index - 1]),
    reported(dialRef, status) {
      const statuses = status ? [status] : FINAL_STATUSES;
      const find = () => reports.find((one) => one.dialRef === dialRef && statuses.includes(one.status));
      return new Promise((resolve) => {
        const look = () => {
          const report = find();
          if (!report) return;
          listeners.delete(look);
          resolve(report);
        };
        listeners.add(look);
        look();
      });
    },
    async report(report) {
      if (refusals-- > 0) throw new Error('not now');
      reports.push(report);
      for (const look of listeners) look();
    },
    async answer(call) {
      answered.push(call);
      return instruction();
    },
  };
}

/**
 * A parsed message of a gateway with its time (monotonic milliseconds of this process). Binary messages are `sound`,
 * with their `bytes`.
 */
export interface GatewayMessage {
  at: number;
  event: string;
  [field: string]: unknown;
}

/** One gateway's connection to a {@link StreamService}. */
export interface GatewayConnection {
  readonly socket: WebSocket;
  readonly messages: GatewayMessage[];
  /** Resolves with the first message of this event that satisfies `wanted`. */
  message(event: string, wanted?: (message: GatewayMessage) => boolean): Promise<GatewayMessage>;
  send(message: Record<string, unknown>): void;
  readonly closed: Promise<number>;
}

/** A WebSocket server in place of the service's `/ws/stream`. */
export interface StreamService {
  readonly url: string;
  readonly connections: GatewayConnection[];
  /** The next connection. */
  connection(): Promise<GatewayConnection>;
  close(): Promise<void>;
}

export async function createStreamService(): Promise<StreamService> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const connections: GatewayConnection[] = [];
  server.on('connection', (socket) => {
    connections.push(watch(socket));
    server.emit('watched', connections.at(-1));
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/stream/agent_1`,
    connections,
    connection: async () => ((await once(server, 'watched')) as [GatewayConnection])[0],
    async close() {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

function watch(socket: WebSocket): GatewayConnection {
  const messages: GatewayMessage[] = [];
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    const said: object = isBinary ? { event: 'sound', bytes: data } : JSON.parse(data.toString());
    const message = { ...said, at: performance.now() } as GatewayMessage;
    messages.push(message);
    socket.emit('parsed');
  });
  return {
    socket,
    messages,
    async message(event, wanted = () => true) {
      for (;;) {
        const found = messages.find((message) => message.event === event && wanted(message));
        if (found) return found;
        await once(socket, 'parsed');
      }
    },
    send: (message) => socket.send(JSON.stringify(message)),
    closed: new Promise((resolve) => socket.on('close', (code) => resolve(code))),
  };
}
