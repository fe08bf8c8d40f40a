import { type Fields, isFields, isList, sameValue, type Value } from "../../yaml/plain-values.ts";
import type { Choices, Conditions } from "./conditions.ts";
import { type ListNode, type MapNode, type Node, plain } from "./nodes.ts";

/** A value, and the choices under which it occurs. */
interface Chosen<T extends Value = Value> {
  readonly value: T;
  readonly when: Choices;
}

/** Merges the forms of an object under different choices: common parts occur once, the others under their condition. */
export function mergeForms(forms: readonly Chosen[], conditions: Conditions): Node {
  const distinct = group(forms);
  const [first] = distinct;
  if (first !== undefined && distinct.length === 1) return plain(first.value);
  const within = union(distinct);
  if (distinct.every((chosen): chosen is Chosen<Fields> => isFields(chosen.value))) {
    return mergeMaps(distinct, within, conditions);
  }
  const lists = distinct.filter((chosen): chosen is Chosen<readonly Value[]> => isList(chosen.value));
  const list = lists.length === distinct.length ? mergeLists(lists, within, conditions) : undefined;
  return (
    list ?? {
      is: "either",
      cases: distinct.map(({ value, when }) => ({ when: conditions.of(when, within), node: plain(value) })),
    }
  );
}

function group(forms: readonly Chosen[]): Chosen[] {
  const groups: Chosen[] = [];
  for (const form of forms) {
    const at = groups.findIndex(({ value }) => sameValue(value, form.value));
    const same = groups[at];
    if (same === undefined) groups.push(form);
    else groups[at] = { value: same.value, when: same.when | form.when };
  }
  return groups;
}

function union(forms: readonly Chosen[]): Choices {
  return forms.reduce((set, { when }) => set | when, 0n);
}

function mergeMaps(forms: readonly Chosen<Fields>[], within: Choices, conditions: Conditions): MapNode {
  const keys = inOrder(forms.map(({ value }) => Object.keys(value))) ?? [
    ...new Set(forms.flatMap(({ value }) => Object.keys(value))),
  ];
  return {
    is: "map",
    some: someOf(forms, ({ value }) => Object.keys(value).length > 0, within, conditions),
    entries: keys.map((key) => {
      const having = forms.flatMap(({ value, when }) => {
        const field = value[key];
        return field === undefined ? [] : [{ value: field, when }];
      });
      return { key, when: conditions.of(union(having), within), node: mergeForms(having, conditions) };
    }),
  };
}

function mergeLists(
  forms: readonly Chosen<readonly Value[]>[],
  within: Choices,
  conditions: Conditions,
): ListNode | undefined {
  const named = forms.map(({ value, when }) => ({ when, names: value.map(nameOfItem), value }));
  if (named.some(({ names }) => new Set(names).size < names.length)) return undefined;
  const names = inOrder(named.map((form) => form.names));
  if (names === undefined) return undefined;
  return {
    is: "list",
    some: someOf(forms, ({ value }) => value.length > 0, within, conditions),
    items: names.map((name) => {
      const having = named.flatMap((form) => {
        const item = form.value[form.names.indexOf(name)];
        return item === undefined ? [] : [{ value: item, when: form.when }];
      });
      return { when: conditions.of(union(having), within), node: mergeForms(having, conditions) };
    }),
  };
}

function someOf<T extends Chosen>(
  forms: readonly T[],
  has: (form: T) => boolean,
  within: Choices,
  conditions: Conditions,
) {
  return conditions.of(union(forms.filter(has)), within);
}

/** Returns the key that identifies a list item in other forms of the list. */
function nameOfItem(item: Value, index: number): string {
  if (!isFields(item)) return `=${String(item)}`;
  const key = ["name", "mountPath", "containerPort"].find((each) => item[each] !== undefined);
  return key === undefined ? `#${index}` : `${key}=${String(item[key])}`;
}

/** Returns an order that is consistent with all of the lists, or undefined if they contradict each other. */
function inOrder(lists: readonly (readonly string[])[]): string[] | undefined {
  const [longest = [], ...others] = [...lists].sort((a, b) => b.length - a.length);
  const order = [...longest];
  for (const list of others) {
    let at = 0;
    for (const name of list) {
      const index = order.indexOf(name);
      if (index < 0) order.splice(at++, 0, name);
      else at = index + 1;
    }
  }
  const keeps = (list: readonly string[]) => {
    const here = new Set(list);
    return order.filter((name) => here.has(name)).every((name, at) => name === list[at]);
  };
  return lists.every(keeps) ? order : undefined;
}
