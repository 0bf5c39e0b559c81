import { type ComponentChildren, createContext, h, type JSX } from "preact";

/** The props of `Head`. */
export interface HeadProps {
  children?: ComponentChildren;
}

/** True for elements inside `Head`. */
export const InsideHead = createContext(false);

/**
 * Puts the head elements among its children into the document's head. There, each replaces the next element
 * rendered with the same key, or without keys, with the same attribute values.
 */
export function Head({ children }: HeadProps): JSX.Element {
  return h(InsideHead.Provider, { value: true }, children);
}
