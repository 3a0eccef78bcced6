import { Receiver, trustedCertificate } from '#test/support/receiver.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';

export type Json = Record<string, unknown>;

/** A service, and a receiver whose certificate it trusts. */
export interface TrustingService {
  service: TestService;
  receiver: Receiver;
  ask(method: string, url: string, payload?: unknown): Promise<{ status: number; body: Json }>;
  close(): Promise<void>;
}

export async function openTrustingService(options: { listen?: boolean } = {}): Promise<TrustingService> {
  const { certificate, caFile } = await trustedCertificate();
  const receiver = await Receiver.open(certificate);
  const service = await buildTestService({ ...options, environment: { WEBHOOK_CA_FILE: caFile } });
  return {
    service,
    receiver,
    async ask(method, url, payload) {
      const { status, body } = await service.request(method, url, payload);
      return { status, body: body as Json };
    },
    async close() {
      await service.close();
      await receiver.close();
    },
  };
}
