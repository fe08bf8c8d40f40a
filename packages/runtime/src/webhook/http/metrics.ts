/** Receives the metrics of a webhook server. */
export interface WebhookMetrics {
  /** Counts a request of a path. Call the returned function with the HTTP status when the response is sent. */
  started(path: string): (code: number) => void;
  /** Creates the series of a path. */
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
