// SPDX-License-Identifier: AGPL-3.0-or-later
// A list that grows at both ends. It outlives the page that shows it, so that going back is at once and in place.
import { ApiError, getPage } from './api';
import { keep, recall } from './store';
import { listen } from './stream';

export interface Place { id: string; offset: number }
export interface Source<T> {
  path: string;
  take: (items: T[]) => string[]; // puts what came where it belongs; answers the ids of the rows
  stream?: string;
  events?: (feed: Feed, event: string, payload: never) => void;
  byId?: boolean; // pages are told by the ids of rows: it may be cut, and gaps may be filled
  unknownIsEmpty?: boolean; // what nobody here has heard of yet has no rows
  offline?: string; // the name under which the first page is kept on the device
}

const pageSize = 20;
const catchUpSize = 40;
const most = 2000;
const isGap = (id: string): boolean => id.startsWith('gap:');
const before = (id: string): string => String(BigInt(id) + 1n);

export class Feed {
  ids = $state.raw<string[]>([]);
  newer = $state.raw<string[]>([]); // arrived, and not shown before the reader asks
  state = $state<'idle' | 'loading' | 'end' | 'failed'>('idle');
  problem = $state.raw<unknown>();
  cut = $state(false); // rows above the first have been dropped
  stale = $state(false); // shown out of what the device has kept
  place: Place | null = null;
  heights = new Map<string, number>();
  #next: string | undefined;
  #readers = 0;
  #stop: (() => void) | undefined;
  #turn = 0;

  constructor(readonly source: Source<never>) {
    this.#next = this.#first();
  }
  #with = (more: string): string => this.source.path + (this.source.path.includes('?') ? '&' : '?') + more;
  #first = (): string => this.#with('limit=' + pageSize);
  #take = (items: unknown[]): string[] => this.source.take(items as never[]);

  async older(): Promise<void> {
    if (this.state === 'loading' || this.state === 'end' || !this.#next) return;
    this.state = 'loading';
    const turn = this.#turn;
    try {
      const page = await getPage<unknown>(this.#next);
      if (turn !== this.#turn) return;
      if (this.stale || !this.ids.length) {
        this.ids = [];
        this.stale = false;
        if (this.source.offline) void keep(this.source.offline, page.items);
      }
      const had = new Set(this.ids);
      this.ids = this.ids.concat(this.#take(page.items).filter((id) => !had.has(id)));
      this.#next = page.older;
      if (this.source.byId && this.ids.length > most) {
        this.ids = this.ids.slice(this.ids.length - most);
        this.cut = true;
      }
      this.state = page.older ? 'idle' : 'end';
    } catch (error) {
      if (turn !== this.#turn) return;
      if (this.source.unknownIsEmpty && error instanceof ApiError && error.status === 404) return void (this.state = 'end');
      const kept = !this.ids.length && this.source.offline ? await recall<unknown[]>(this.source.offline) : undefined;
      if (kept?.length) {
        this.ids = this.#take(kept);
        this.stale = true;
      }
      this.problem = error;
      this.state = 'failed';
    }
  }

  // Rows above that were dropped, or never asked for because the reader began further down.
  async above(): Promise<void> {
    if (!this.cut || this.state === 'loading' || !this.ids[0]) return;
    this.state = 'loading';
    try {
      const page = await getPage<unknown>(this.#with(`limit=${catchUpSize}&min_id=${this.ids[0]}`));
      const had = new Set(this.ids);
      const fresh = this.#take(page.items).filter((id) => !had.has(id));
      this.ids = fresh.concat(this.ids);
      if (page.items.length < catchUpSize) this.cut = false;
      if (this.ids.length > most) {
        this.ids = this.ids.slice(0, most);
        this.#next = this.#with(`limit=${pageSize}&max_id=${this.ids.at(-1)}`);
      }
      this.state = 'idle';
    } catch (error) {
      this.problem = error;
      this.state = 'failed';
    }
  }

  // What came while nobody listened. Where more came than a page holds, a row says that there is more between.
  async catchUp(): Promise<void> {
    if (this.stale) return this.reload();
    const first = [...this.newer, ...this.ids].find((id) => !isGap(id));
    if (!first || !this.source.byId || this.cut) return;
    const page = await getPage<unknown>(this.#with(`limit=${catchUpSize}&since_id=${first}`));
    const had = new Set([...this.newer, ...this.ids]);
    const fresh = this.#take(page.items).filter((id) => !had.has(id));
    if (page.items.length >= catchUpSize && fresh.length) fresh.push(`gap:${fresh.at(-1)}:${first}`);
    this.newer = fresh.concat(this.newer);
  }

  async fill(gap: string): Promise<void> {
    const [, max, since] = gap.split(':');
    const page = await getPage<unknown>(this.#with(`limit=${catchUpSize}&max_id=${max}&since_id=${since}`));
    const had = new Set(this.ids);
    const fresh = this.#take(page.items).filter((id) => !had.has(id));
    if (page.items.length >= catchUpSize && fresh.length) fresh.push(`gap:${fresh.at(-1)}:${since}`);
    this.ids = this.ids.flatMap((id) => (id === gap ? fresh : [id]));
  }

  // Begins at a row further down: what lies above it is asked for when the reader goes up.
  async jump(id: string): Promise<void> {
    this.#turn++;
    const page = await getPage<unknown>(this.#with(`limit=${catchUpSize}&max_id=${before(id)}`));
    this.ids = this.#take(page.items);
    this.#next = page.older;
    this.state = page.older ? 'idle' : 'end';
    [this.newer, this.cut, this.place] = [[], true, this.ids[0] ? { id: this.ids[0], offset: 0 } : null];
  }

  async reload(): Promise<void> {
    this.#turn++;
    [this.ids, this.newer, this.cut, this.place, this.state] = [this.stale ? this.ids : [], [], false, null, 'idle'];
    this.#next = this.#first();
    await this.older();
  }

  showNewer(): void {
    this.ids = this.newer.concat(this.ids);
    this.newer = [];
    this.place = null;
  }

  arrive(id: string): void {
    if (this.ids.includes(id) || this.newer.includes(id)) return;
    this.newer = [id, ...this.newer];
  }
  // At once: what the reader has just written.
  insert(id: string): void {
    if (!this.ids.includes(id)) this.ids = [id, ...this.ids];
    this.newer = this.newer.filter((one) => one !== id);
  }
  drop(gone: (id: string) => boolean): void {
    if (this.ids.some(gone)) this.ids = this.ids.filter((id) => !gone(id));
    if (this.newer.some(gone)) this.newer = this.newer.filter((id) => !gone(id));
  }

  // For as long as a page shows the feed.
  read(): () => void {
    const { stream, events } = this.source;
    if (this.#readers++ === 0 && stream && events)
      this.#stop = listen(stream, {
        open: () => void this.catchUp().catch(() => undefined),
        event: (event, payload) => events(this, event, payload),
      });
    return () => {
      if (--this.#readers === 0) this.#stop?.();
    };
  }
}

const feeds = new Map<string, Feed>();
const mostFeeds = 30;

export function feedOf<T>(source: Source<T>): Feed {
  let found = feeds.get(source.path);
  if (found) feeds.delete(source.path);
  else found = new Feed(source as Source<never>);
  feeds.set(source.path, found);
  for (const path of feeds.keys()) {
    if (feeds.size <= mostFeeds) break;
    feeds.delete(path);
  }
  return found;
}
export const known = (path: string): Feed | undefined => feeds.get(path);
export const allFeeds = (): Iterable<Feed> => feeds.values();
