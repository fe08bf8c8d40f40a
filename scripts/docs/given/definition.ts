// A CustomResourceDefinition that a program has read.
export declare const definition: object;
