import { useEffect } from "preact/hooks";

interface WatchJoinsProps {
  /** Elements with the people who joined and their number, on this page and when it is loaded again. */
  readonly ids: readonly string[];
  /** Event id that the page is up to date with. */
  readonly position: number;
}

const PATH = `/admin/events?types=${encodeURIComponent('["realm_user"]')}`;

/** Shows people who join while the page is open. */
export default function WatchJoins({ ids, position }: WatchJoinsProps) {
  useEffect(() => {
    // The browser reconnects by itself, with the id of the last event.
    const stream = new EventSource(`${PATH}&last_event_id=${position}`);
    stream.addEventListener("stale", () => refresh(ids));
    stream.addEventListener("message", ({ data }) => {
      if (String(data).includes('"op":"add"')) return refresh(ids);
    });
    return () => stream.close();
  }, []);
  return null;
}

/** Replaces elements by those of the page as it is now; without a response they stay. */
async function refresh(ids: readonly string[]): Promise<void> {
  const html = await fetch(location.href).then((response) => response.ok ? response.text() : "").catch(() =>
    ""
  );
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const id of ids) {
    const [latest, shown] = [page.getElementById(id), document.getElementById(id)];
    if (latest !== null && shown?.textContent !== latest.textContent) {
      shown?.replaceChildren(...latest.childNodes);
    }
  }
}
