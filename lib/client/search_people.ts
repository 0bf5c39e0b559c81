import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** A person or group that a search found. */
export interface PersonResult {
  /** Line of the field that names it. */
  readonly line: string;
  readonly name: string;
  readonly note: string;
}

/** Pause in typing before the server is asked, in milliseconds. */
const PAUSE_MS = 120;

/** A search for people while its text is typed. */
export interface PeopleSearch {
  /** Null before the first response to a text, and after a failure. */
  readonly results: Signal<readonly PersonResult[] | null>;
  /** Searches after a pause; an empty text has no results. */
  readonly search: (text: string) => void;
}

/** Searches for people, and for groups with `takesGroups`; only the response to the last text counts. */
export function usePeopleSearch(takesGroups: boolean): PeopleSearch {
  const results = useSignal<readonly PersonResult[] | null>(null);
  const running = useRef(new AbortController());
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => {
    clearTimeout(timer.current);
    running.current.abort();
  }, []);
  const search = (text: string) => {
    clearTimeout(timer.current);
    running.current.abort();
    results.value = null;
    if (text.trim() === "") return;
    const { signal } = running.current = new AbortController();
    timer.current = setTimeout(async () => {
      const found = await request(text, takesGroups, signal);
      if (!signal.aborted) results.value = found;
    }, PAUSE_MS);
  };
  return { results, search };
}

async function request(
  text: string,
  takesGroups: boolean,
  signal: AbortSignal,
): Promise<readonly PersonResult[] | null> {
  const query = new URLSearchParams({ q: text, ...(takesGroups ? { groups: "" } : {}) });
  const headers = { accept: "application/json" };
  try {
    const response = await fetch(`/admin/people?${query}`, { headers, signal });
    const body: unknown = await response.json();
    const results = typeof body === "object" && body !== null ? Reflect.get(body, "results") : null;
    return response.ok && isResults(results) ? results : null;
  } catch {
    return null;
  }
}

function isResults(value: unknown): value is readonly PersonResult[] {
  return Array.isArray(value) && value.every((one: unknown) =>
    typeof one === "object" && one !== null &&
    ["line", "name", "note"].every((name) => typeof Reflect.get(one, name) === "string")
  );
}
