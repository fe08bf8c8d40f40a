/** A value of a document, before it is resolved. Its position is where it begins in the text. */
export type YamlNode = Scalar | List | Mapping | Alias;

/** The properties of all nodes. */
abstract class NodeBase {
  readonly position: number;

  /** @param position - where the node begins */
  constructor(position: number) {
    this.position = position;
  }
}

/** A text with or without quotes. */
export class Scalar extends NodeBase {
  readonly text: string;
  /** True for a text without quotes. */
  readonly isPlain: boolean;
  /** For example `tag:yaml.org,2002:int`; undefined without a tag. */
  readonly tag: string | undefined;

  /**
   * @param position - where the node begins
   * @param text - its text
   * @param isPlain - true without quotes
   * @param tag - its tag
   */
  constructor(position: number, text: string, isPlain: boolean, tag?: string) {
    super(position);
    this.text = text;
    this.isPlain = isPlain;
    this.tag = tag;
  }
}

/** A list. */
export class List extends NodeBase {
  readonly items: readonly YamlNode[];

  /**
   * @param position - where the node begins
   * @param items - its items
   */
  constructor(position: number, items: readonly YamlNode[]) {
    super(position);
    this.items = items;
  }
}

/** An object. Its keys are nodes, and may occur several times. */
export class Mapping extends NodeBase {
  readonly pairs: readonly (readonly [key: YamlNode, value: YamlNode])[];

  /**
   * @param position - where the node begins
   * @param pairs - its keys and values
   */
  constructor(position: number, pairs: readonly (readonly [key: YamlNode, value: YamlNode])[]) {
    super(position);
    this.pairs = pairs;
  }
}

/** A reference to another node. */
export class Alias extends NodeBase {
  readonly name: string;
  /** Undefined if the alias is within the node that it refers to. */
  readonly target: YamlNode | undefined;

  /**
   * @param position - where the node begins
   * @param name - the name of the anchor
   * @param target - its node
   */
  constructor(position: number, name: string, target: YamlNode | undefined) {
    super(position);
    this.name = name;
    this.target = target;
  }
}
