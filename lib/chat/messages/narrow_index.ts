import { foldTopic } from "./message.ts";
import type { ChannelsOperand, NarrowTerm } from "./narrow.ts";
import type { SearchWord } from "./search_words.ts";

/** Which of the stored orders of messages gives all that a narrow can want, and the fewest besides. */
export type NarrowIndex =
  /** The terms contradict each other. */
  | { readonly kind: "nothing" }
  | { readonly kind: "id"; readonly id: number }
  | { readonly kind: "starred" }
  /** Messages that hold every one of the words. */
  | { readonly kind: "search"; readonly words: readonly SearchWord[] }
  | { readonly kind: "topic"; readonly channelId: number; readonly topic: string }
  /** Ascending, the reader among them. */
  | { readonly kind: "dm"; readonly participants: readonly number[] }
  | { readonly kind: "mentioned" }
  | { readonly kind: "sender"; readonly senderId: number }
  | { readonly kind: "channel"; readonly channelId: number }
  /** Those of all channels of a kind, and perhaps others. */
  | { readonly kind: "channels"; readonly which: ChannelsOperand }
  | { readonly kind: "all" };

/** An index, and the terms that its messages must still be held against. */
export interface NarrowPlan {
  readonly index: NarrowIndex;
  readonly residual: readonly NarrowTerm[];
}

/** Gives a plan where the terms allow it. */
type Planner = (terms: readonly NarrowTerm[]) => NarrowPlan | null;

/** A message has but one of each. */
const EXCLUSIVE_KINDS: readonly NarrowTerm["kind"][] = ["channel", "topic", "dm", "sender", "id"];

/** Those that give the fewest messages first; a text is looked for before all places, for holding texts against it costs most. */
const PLANNERS: readonly Planner[] = [
  planNothing,
  planFor("id", ({ id }) => ({ kind: "id", id })),
  planForFlag("starred"),
  planSearch,
  planTopic,
  planFor("dm", ({ users }) => ({ kind: "dm", participants: users })),
  planForFlag("mentioned"),
  planFor("sender", ({ user }) => ({ kind: "sender", senderId: user })),
  planFor("channel", ({ channel }) => ({ kind: "channel", channelId: channel })),
  planChannels,
];

/**
 * The index to read for a narrow. A message satisfies the terms exactly when it is in the index and satisfies the
 * residual terms; access is no part of either.
 */
export function chooseIndex(terms: readonly NarrowTerm[]): NarrowPlan {
  const asking = terms.filter(({ kind }) => kind !== "near");
  for (const plan of PLANNERS) {
    const planned = plan(asking);
    if (planned !== null) return planned;
  }
  return { index: { kind: "all" }, residual: asking };
}

function planNothing(terms: readonly NarrowTerm[]): NarrowPlan | null {
  const wanted = terms.filter(({ negated }) => !negated);
  const refused = new Set(terms.filter(({ negated }) => negated).map(conditionOf));
  const isContradiction = wanted.some((term) => isNothing(term) || refused.has(conditionOf(term))) ||
    EXCLUSIVE_KINDS.some((kind) =>
      new Set(wanted.filter((term) => term.kind === kind).map(conditionOf)).size > 1
    ) || (wanted.some(isOfChannels) && wanted.some(isOfDirect));
  return isContradiction ? { index: { kind: "nothing" }, residual: [] } : null;
}

/** What no message satisfies. */
function isNothing(term: NarrowTerm): boolean {
  return (term.kind === "dm" && term.users.length === 0) ||
    (term.kind === "search" && term.query.words.length === 0);
}

function isOfChannels(term: NarrowTerm): boolean {
  return ["channel", "channels", "topic"].includes(term.kind) ||
    (term.kind === "is" && term.what === "resolved");
}

function isOfDirect(term: NarrowTerm): boolean {
  return ["dm", "dm-including"].includes(term.kind) || (term.kind === "is" && term.what === "dm");
}

/** A text that two terms share exactly when they ask for the same, negated or not. */
function conditionOf(term: NarrowTerm): string {
  const same = term.kind === "topic" ? { ...term, topic: foldTopic(term.topic) } : term;
  return JSON.stringify({ ...same, negated: false });
}

/** The plan that reads an index for the used terms: what asks for the same is satisfied with them, and nothing refuses it. */
function planOf(terms: readonly NarrowTerm[], index: NarrowIndex, used: readonly NarrowTerm[]): NarrowPlan {
  const done = new Set(used.map(conditionOf));
  return { index, residual: terms.filter((term) => !done.has(conditionOf(term))) };
}

type TermOf<Kind extends NarrowTerm["kind"]> = Extract<NarrowTerm, { readonly kind: Kind }>;

function find<Kind extends NarrowTerm["kind"]>(
  terms: readonly NarrowTerm[],
  kind: Kind,
): TermOf<Kind> | undefined {
  return terms.find((term): term is TermOf<Kind> => term.kind === kind && !term.negated);
}

/** The planner for indexes that one kind of term names. */
function planFor<Kind extends NarrowTerm["kind"]>(
  kind: Kind,
  toIndex: (term: TermOf<Kind>) => NarrowIndex,
): Planner {
  return (terms) => {
    const term = find(terms, kind);
    return term === undefined ? null : planOf(terms, toIndex(term), [term]);
  };
}

function planForFlag(flag: "starred" | "mentioned"): Planner {
  return (terms) => {
    const term = terms.find((each) => each.kind === "is" && each.what === flag && !each.negated);
    return term === undefined ? null : planOf(terms, { kind: flag }, [term]);
  };
}

/** The index knows which words a text holds, not which stand together: terms with phrases stay. */
function planSearch(terms: readonly NarrowTerm[]): NarrowPlan | null {
  const searches = terms.flatMap((term) => term.kind === "search" && !term.negated ? [term] : []);
  if (searches.length === 0) return null;
  const words = new Map(
    searches.flatMap(({ query }) => query.words).map((word) => [JSON.stringify(word), word]),
  );
  const done = searches.filter(({ query }) => query.phrases.length === 0);
  return planOf(terms, { kind: "search", words: [...words.values()] }, done);
}

/** Where there are very many such channels all messages are read, so the term stays. */
function planChannels(terms: readonly NarrowTerm[]): NarrowPlan | null {
  const term = find(terms, "channels");
  return term === undefined ? null : planOf(terms, { kind: "channels", which: term.which }, []);
}

function planTopic(terms: readonly NarrowTerm[]): NarrowPlan | null {
  const [channel, topic] = [find(terms, "channel"), find(terms, "topic")];
  if (channel === undefined || topic === undefined) return null;
  const index: NarrowIndex = { kind: "topic", channelId: channel.channel, topic: topic.topic };
  return planOf(terms, index, [channel, topic]);
}
