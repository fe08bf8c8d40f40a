import { Component, type ComponentChild } from "preact";

/**
 * A component that renders only when its properties differ.
 *
 * @param render - renders the properties; hooks belong into the components that it returns
 */
export function memo<P extends object>(render: (props: P) => ComponentChild, isSame: (before: P, after: P) => boolean) {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      return !isSame(this.props, next);
    }

    override render(): ComponentChild {
      return render(this.props);
    }
  };
}
