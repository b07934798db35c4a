// SPDX-License-Identifier: AGPL-3.0-or-later
// What a list scrolls: the document, so that browsers hide their bars; or the column it stands in.
import { getContext, setContext } from 'svelte';

export interface Scroller {
  at: () => number; // how far it is scrolled
  edge: () => number; // where in the window its upper edge is
  height: () => number;
  covered: () => number; // by the bar over its upper edge
  to: (y: number) => void;
  target: () => EventTarget; // tells of scrolling
  column?: () => HTMLElement; // keys count while the focus is in it
}

const page: Scroller = {
  at: () => scrollY,
  edge: () => 0,
  height: () => innerHeight,
  covered: () => parseFloat(getComputedStyle(document.documentElement).fontSize) * 3.5,
  to: (y) => scrollTo(0, y),
  target: () => window,
};

const name = 'scroller';
const inColumn = (list: () => HTMLElement): Scroller => {
  const column = (): HTMLElement => list().closest<HTMLElement>('[data-scrolls]')!;
  return {
    at: () => column().scrollTop,
    edge: () => column().getBoundingClientRect().top,
    height: () => column().clientHeight,
    covered: () => 0,
    to: (y) => column().scrollTo(0, y),
    target: column,
    column,
  };
};
export const scrollerOf = (list: () => HTMLElement): Scroller => (getContext<true | undefined>(name) ? inColumn(list) : page);
// Lists in here scroll what is marked with data-scrolls.
export const scrollHere = (): void => void setContext(name, true);
