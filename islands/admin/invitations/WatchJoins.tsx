import { useEffect } from "preact/hooks";

interface WatchJoinsProps {
  /** Element with the people who joined, on this page and when it is loaded again. */
  readonly listId: string;
  /** Event id that the page is up to date with. */
  readonly position: number;
}

const PATH = `/admin/events?types=${encodeURIComponent('["realm_user"]')}`;

/** Shows people who join while the page is open. */
export default function WatchJoins({ listId, position }: WatchJoinsProps) {
  useEffect(() => {
    // The browser reconnects by itself, with the id of the last event.
    const stream = new EventSource(`${PATH}&last_event_id=${position}`);
    stream.addEventListener("stale", () => refresh(listId));
    stream.addEventListener("message", ({ data }) => {
      if (String(data).includes('"op":"add"')) return refresh(listId);
    });
    return () => stream.close();
  }, []);
  return null;
}

/** Replaces the list by that of the page as it is now; without an answer it stays. */
async function refresh(listId: string): Promise<void> {
  const html = await fetch(location.href).then((answer) => answer.ok ? answer.text() : "").catch(() => "");
  const latest = new DOMParser().parseFromString(html, "text/html").getElementById(listId);
  const shown = document.getElementById(listId);
  if (latest !== null && shown?.textContent !== latest.textContent) {
    shown?.replaceChildren(...latest.childNodes);
  }
}
