// Another system that the operators of the documentation use.

export declare class BucketApi {
  get(name: string): Promise<{ name: string } | undefined>;
  list(): Promise<string[]>;
  create(name: string): Promise<{ name: string }>;
}
