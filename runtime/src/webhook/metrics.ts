/** What a webhook server tells of its requests. */
export interface WebhookMetrics {
  /** A request came in on a path; the function it gives is called with the HTTP status when the answer is sent. */
  started(path: string): (code: number) => void;
  /** A path is served: its series are there from now on. */
  registered(path: string): void;
  panicked(): void;
  conversionPanicked(): void;
  certificateRead(failed: boolean): void;
}

export const noWebhookMetrics: WebhookMetrics = {
  started: () => () => {},
  registered() {},
  panicked() {},
  conversionPanicked() {},
  certificateRead() {},
};
