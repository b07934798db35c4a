// SPDX-License-Identifier: AGPL-3.0-or-later
// What is being written. Kept on the device half a second after a key, so that no reload, crash or outage loses it.
import { putAccount } from '../accounts/accounts.svelte';
import { ApiError, get, post, put } from '../base/api';
import type { Focus, MediaAttachment, ScheduledStatus, Status, StatusSource } from '../base/entities';
import type { Sheet } from '../base/sheets.svelte';
import { start } from '../base/start';
import { keep, recall } from '../base/store';
import { currentLanguage } from '../base/text';
import { remove } from '../statuses/statuses.svelte';
import { length, named } from './count';
import { about, isDescribed, tell } from './media';
import { forgetDraft, freshId, indexDraft, queue } from './outbox';
import { pollAgain, pollAsked, pollBody, type PollDraft } from './poll';
import { share } from './shared';

type Visibility = Status['visibility'];
export interface Kept {
  id: string; text: string; warning: string; visibility: Visibility; language: string; sensitive: boolean; localOnly: boolean; poll: PollDraft | null;
  media: MediaAttachment[]; reply: Status | null; quote: Status | null; edit: string | null; when: string; quotePolicy: string; replyPolicy?: string; format: string; place?: string; changed: string;
}

export const draftOf = (id: string): Promise<Kept | undefined> => recall<Kept>('draft:' + id);
const limits = () => start.instance.configuration;
const order: Visibility[] = ['public', 'unlisted', 'private', 'direct'];
const stricter = (a: Visibility, b: Visibility): Visibility => (order.indexOf(a) > order.indexOf(b) ? a : b);

// What the last dialog still writes down, which the next one reads.
let writing: Promise<unknown> = Promise.resolve();
export const written = (): Promise<unknown> => writing;

const gone = (error: unknown): null => {
  if (error instanceof ApiError && error.status === 404) return null;
  throw error;
};

export class Draft {
  id = freshId();
  key = crypto.randomUUID();
  text = $state('');
  warning = $state('');
  warned = $state(false);
  visibility = $state<Visibility>(start.me.source.privacy);
  language = $state(start.me.source.language || currentLanguage());
  sensitive = $state(start.me.source.sensitive);
  localOnly = $state(false);
  poll = $state<PollDraft | null>(null);
  media = $state.raw<MediaAttachment[]>([]);
  uploads = $state(0);
  reply = $state.raw<Status | null>(null);
  quote = $state.raw<Status | null>(null);
  edit = $state<string | null>(null);
  when = $state('');
  quotePolicy = $state(start.me.source.quote_policy ?? 'public');
  replyPolicy = $state<string>(start.me.source.reply_policy ?? 'public');
  format = $state('text/plain');
  sending = $state(false);
  #saving: ReturnType<typeof setTimeout> | undefined;
  #place = 'new';
  #owed = new Set<string>(); // media of which more is said here than the server knows
  #done = false;
  #closed = false;
  #release: () => void = () => undefined;
  #held: Promise<unknown> = Promise.resolve();
  #loaded = this.#content();

  get length(): number {
    return length(this.text, limits()?.statuses.characters_reserved_per_url ?? 23) + (this.warned ? length(this.warning) : 0);
  }
  get left(): number {
    return (limits()?.statuses.max_characters ?? 500) - this.length;
  }
  get missingAlt(): boolean {
    return this.media.some((one) => !one.description && one.type !== 'audio');
  }
  get empty(): boolean {
    return !this.text.trim() && !this.media.length && !this.poll;
  }
  get changed(): boolean {
    return this.#content() !== this.#loaded;
  }
  #content(): string {
    return JSON.stringify([this.text, this.warned ? this.warning : '', this.media.map(about), this.poll]);
  }
  get ready(): boolean {
    const poll = !this.poll || this.poll.options.filter((one) => one.trim()).length >= 2;
    return !this.empty && this.left >= 0 && !this.uploads && !this.sending && poll;
  }

  async begin(given: Extract<Sheet, { kind: 'compose' }>): Promise<void> {
    await this.#find(given);
    await this.#hold(this.id);
  }
  async #find(given: Extract<Sheet, { kind: 'compose' }>): Promise<void> {
    if (given.draft) {
      const kept = await draftOf(given.draft);
      return this.#resume(kept && !(await this.#hold(kept.id)) ? { ...kept, id: this.id } : kept);
    }
    if (given.edit) return this.#change(given.edit);
    if (given.again) return this.#again(given.again);
    if (given.visibility) [this.visibility, this.#place] = [given.visibility, 'new:' + given.visibility];
    if (given.reply) this.#answer(given.reply);
    if (given.quote) [this.quote, this.#place] = [given.quote, 'quote:' + given.quote.id];
    this.text = given.text ?? this.#mentions();
    this.#loaded = this.#content();
    // The same reply, or the same fresh post, goes on where it was left; a letter never as a post for everybody.
    await writing;
    const last = await recall<string>('draft-for:' + this.#place);
    const kept = last ? await draftOf(last) : undefined;
    const fits = kept && (!given.visibility || kept.visibility === given.visibility) && kept.reply?.id === given.reply?.id;
    if (fits && !given.text && !given.quote && !this.changed && (await this.#hold(kept.id))) this.#resume(kept);
  }

  // One tab at a time writes a draft: whoever is not let in writes another. A tab that is closed lets go.
  #hold(id: string): Promise<boolean> {
    if (!('locks' in navigator)) return Promise.resolve(true);
    return new Promise((tell) => {
      const held = navigator.locks.request('draft:' + id, { ifAvailable: true }, (lock) => {
        tell(!!lock);
        return lock && !this.#closed ? new Promise<void>((release) => (this.#release = release)) : undefined;
      });
      this.#held = Promise.allSettled([this.#held, held.catch(() => tell(true))]);
    });
  }

  #mentions(): string {
    if (!this.reply) return '';
    const people = [this.reply.account.acct, ...this.reply.mentions.map((one) => one.acct)].filter((acct) => acct !== start.me.acct);
    return [...new Set(people)].map((acct) => `@${acct} `).join('');
  }
  #answer(status: Status): void {
    [this.reply, this.#place] = [status, status.id];
    this.visibility = stricter(status.visibility === 'limited' ? 'private' : status.visibility, this.visibility);
    if (status.visibility === 'direct') this.visibility = 'direct';
    this.language = status.language ?? this.language;
    this.localOnly = status.local_only ?? false;
    if (status.spoiler_text) [this.warned, this.warning] = [true, status.spoiler_text];
  }
  async #load(status: Status): Promise<void> {
    const source = await get<StatusSource>(`/api/v1/statuses/${status.id}/source`);
    [this.text, this.format] = [source.text, source.content_type];
    [this.warning, this.warned] = [source.spoiler_text, !!source.spoiler_text];
    [this.visibility, this.sensitive, this.media] = [status.visibility, status.sensitive, status.media_attachments];
    this.language = status.language ?? this.language;
  }
  async #change(status: Status): Promise<void> {
    await this.#load(status);
    [this.edit, this.#place] = [status.id, 'edit:' + status.id];
    this.poll = pollAsked(status);
    this.#loaded = this.#content();
  }
  // All of it is kept as a draft before the post is deleted.
  async #again(status: Status): Promise<void> {
    const { in_reply_to_id: above, quote_approval: quoting } = status;
    this.reply = above ? await get<Status>('/api/v1/statuses/' + above).catch(gone) : null;
    await this.#load(status);
    this.#place = 'again:' + status.id;
    this.poll = pollAgain(status);
    this.quote = status.quote?.quoted_status ?? null;
    this.localOnly = status.local_only ?? false;
    this.replyPolicy = status.reply_policy ?? this.replyPolicy;
    this.quotePolicy = ['public', 'followers'].find((one) => quoting.automatic.includes(one)) ?? 'nobody';
    await this.save();
    try {
      const old = await remove(status.id);
      this.quote ??= old.quote?.quoted_status ?? null;
    } catch (error) {
      if (error instanceof ApiError) await this.#end(); // without an answer it may be deleted
      throw error;
    }
  }
  #resume(kept: Kept | undefined): void {
    if (!kept) return;
    const { id, text, warning, visibility, language, sensitive, localOnly, poll, media, reply, quote, edit, when, quotePolicy, replyPolicy, format } = kept;
    Object.assign(this, { id, text, warning, visibility, language, sensitive, localOnly, poll, media, reply, quote, edit, when, quotePolicy, format, warned: !!warning, ...(replyPolicy && { replyPolicy }) });
    this.#place = kept.place ?? this.#place;
    this.#owed = new Set(media.filter(isDescribed).map((one) => one.id));
    if (reply) putAccount(reply.account);
  }

  kept(): Kept {
    const { id, text, warning, visibility, language, sensitive, localOnly, reply, quote, edit, when, quotePolicy, replyPolicy, format } = this;
    return { id, text, warning, visibility, language, sensitive, localOnly, poll: $state.snapshot(this.poll), media: this.media, reply, quote, edit, when, quotePolicy, replyPolicy, format, place: this.#place, changed: new Date().toISOString() };
  }
  touch(): void {
    clearTimeout(this.#saving);
    if (!this.#done) this.#saving = setTimeout(() => void this.save(), 400);
  }
  save(): Promise<void> {
    clearTimeout(this.#saving);
    if (this.#done) return Promise.resolve();
    const done = this.changed ? this.#keep(this.kept()) : this.discard();
    writing = Promise.allSettled([writing, done]);
    return done;
  }
  async #keep(kept: Kept): Promise<void> {
    await keep('draft:' + this.id, kept);
    if (!this.edit) await keep('draft-for:' + this.#place, this.id);
    await indexDraft(this.id);
    if (!this.edit) share(kept);
  }
  // What is written down and let go here may be gone on with by the next dialog.
  close(): void {
    this.#closed = true;
    void this.save();
    writing = writing.then(() => (this.#release(), this.#held));
  }
  async discard(): Promise<void> {
    clearTimeout(this.#saving);
    await forgetDraft(this.id, this.#place);
  }
  async #end(): Promise<void> {
    this.#done = true;
    await this.discard();
  }

  // What is said of a medium goes to the server along with the post.
  describe(id: string, said: { description?: string; focus?: Focus }): void {
    const { description, focus } = said;
    this.media = this.media.map((one) => (one.id === id ? { ...one, ...(description !== undefined && { description }), ...(focus && { meta: { ...one.meta, focus } }) } : one));
    this.#owed.add(id);
    this.touch();
  }

  body(): object {
    return {
      status: this.text, spoiler_text: this.warned ? this.warning : '', language: this.language, content_type: this.format,
      sensitive: this.sensitive || (this.warned && !!this.warning), media_ids: this.media.map((one) => one.id),
      ...(this.poll && { poll: pollBody(this.poll) }),
      ...(this.edit
        ? { media_attributes: this.media.map(about) }
        : { visibility: this.visibility, quote_approval_policy: this.quotePolicy, reply_policy: this.replyPolicy, ...(this.localOnly && { local_only: true }) }),
      ...(this.reply && { in_reply_to_id: this.reply.id }),
      ...(this.quote && { quoted_status_id: this.quote.id }),
      ...(this.when && { scheduled_at: new Date(this.when).toISOString() }),
    };
  }

  // Sent again and again with the same key, a post appears once. Without a net it is the outbox's from then on, which answers nothing.
  async send(): Promise<Status | ScheduledStatus | undefined> {
    this.sending = true;
    const body = this.body();
    const media = this.edit ? [] : this.media.filter((one) => this.#owed.has(one.id)).map(about);
    try {
      await tell(media);
      const answer = this.edit ? await put<Status>('/api/v1/statuses/' + this.edit, body) : await post<Status | ScheduledStatus>('/api/v1/statuses', body, this.key);
      await this.#end();
      return answer;
    } catch (error) {
      await this.save();
      if (error instanceof ApiError || this.edit) throw error;
      await queue({ key: this.key, body, media, draft: this.kept() });
      await this.#end();
      return undefined;
    } finally {
      this.sending = false;
    }
  }
  get readers(): string[] {
    return named(this.text);
  }
}
