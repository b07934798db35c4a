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
  version?: (id: string) => unknown; // of what stands in a row, where rows change and come up again
  given?: boolean; // its rows are put by the page that shows it
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
  #refreshing = false;
  #afterNewer: string | undefined; // what goes on below the newer rows, where they do not reach down to the others

  constructor(readonly source: Source<never>) {
    this.#next = this.#first();
    if (source.given) this.state = 'end';
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
    const first = [...this.newer, ...this.ids].find((id) => !isGap(id));
    if (this.stale || (!first && (this.state === 'end' || this.state === 'failed'))) return this.reload();
    if (!first || this.#refreshing) return;
    if (this.source.version) return this.#catchUpByVersion(this.source.version);
    if (!this.source.byId || this.cut) return;
    const before = this.newer;
    const turn = this.#turn;
    const page = await getPage<unknown>(this.#with(`limit=${catchUpSize}&since_id=${first}`));
    if (turn !== this.#turn) return;
    const had = new Set([...this.newer, ...this.ids]);
    const fresh = this.#take(page.items).filter((id) => !had.has(id));
    if (page.items.length >= catchUpSize && fresh.length) fresh.push(`gap:${fresh.at(-1)}:${first}`);
    const meanwhile = this.newer.filter((id) => !before.includes(id));
    this.newer = [...meanwhile, ...fresh, ...this.newer.filter((id) => before.includes(id))];
  }

  // Rows that come up again whenever something joins them: the first page tells which.
  async #catchUpByVersion(version: (id: string) => unknown): Promise<void> {
    const turn = this.#turn;
    const page = await getPage<unknown>(this.#first());
    if (turn !== this.#turn) return;
    const before = new Map([...this.newer, ...this.ids].map((id) => [id, version(id)]));
    const all = this.#take(page.items);
    const moved = all.filter((id) => before.get(id) !== version(id));
    if (!moved.length) return;
    const rest = (ids: string[]): string[] => ids.filter((id) => !moved.includes(id));
    if (moved.length === all.length && page.older) [this.newer, this.#afterNewer] = [moved, page.older];
    else {
      const top = all.findIndex((id) => !moved.includes(id));
      const fresh = top < 0 ? all : all.slice(0, top);
      let ids = rest(this.ids);
      // Below a row that has stayed stands what came down, or up from beyond the page, as something above is gone.
      for (const id of moved.slice(fresh.length)) ids = ids.toSpliced(ids.indexOf(all[all.indexOf(id) - 1]!) + 1, 0, id);
      [this.newer, this.ids] = [[...fresh, ...rest(this.newer)], ids];
    }
  }

  // For whoever comes anew: the first page, and until it is there what was shown before.
  async refresh(): Promise<void> {
    if (this.source.given) return;
    if (this.stale || !this.ids.length) return this.reload();
    const turn = ++this.#turn;
    const { state } = this;
    [this.state, this.#refreshing] = ['loading', true];
    try {
      const page = await getPage<unknown>(this.#first());
      if (turn !== this.#turn) return;
      this.#begin(this.#take(page.items), page.older);
      this.cut = false;
    } catch {
      if (turn === this.#turn) this.state = state === 'loading' ? 'idle' : state;
    } finally {
      this.#refreshing = false;
    }
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
    this.#begin(this.#take(page.items), page.older);
    [this.cut, this.place] = [true, this.ids[0] ? { id: this.ids[0], offset: 0 } : null];
  }
  #begin(ids: string[], older: string | undefined): void {
    [this.ids, this.newer, this.place, this.#next, this.#afterNewer] = [ids, [], null, older, undefined];
    this.state = older ? 'idle' : 'end';
  }

  async reload(): Promise<void> {
    this.#turn++;
    this.#begin(this.stale ? this.ids : [], this.#first());
    this.cut = false;
    await this.older();
  }

  showNewer(): void {
    if (this.#afterNewer) {
      this.#turn++;
      [this.ids, this.#next, this.state] = [[], this.#afterNewer, 'idle'];
      this.#afterNewer = undefined;
    }
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
  // At once, above the first row that it stands before; below all that are shown it comes with the older ones.
  putBefore(id: string, standsBefore: (other: string) => boolean): void {
    const at = this.ids.findIndex((other) => !isGap(other) && standsBefore(other));
    if (at >= 0) this.ids = this.ids.toSpliced(at, 0, id);
    else if (this.state === 'end') this.ids = [...this.ids, id];
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
