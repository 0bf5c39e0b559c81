import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { createFormatter } from "@/lib/ui/formatter.ts";

interface BulkProgressProps {
  /** Path of the progress as JSON. */
  readonly path: string;
  readonly done: number;
  readonly total: number;
  readonly label: string;
  readonly language: string;
  readonly text: string;
}

/** Pause between two questions for the progress, in milliseconds. */
const PAUSE_MS = 1000;

/** Shows the progress of background work, and reloads the page when it has ended. */
export default function BulkProgress({ path, done: first, total, label, language, text }: BulkProgressProps) {
  const done = useSignal(first);
  useEffect(() => {
    const timer = setInterval(async () => {
      const progress = await readProgress(path);
      if (progress === null) return;
      done.value = progress.done;
      if (!progress.isRunning) location.reload();
    }, PAUSE_MS);
    return () => clearInterval(timer);
  }, []);
  const formatter = createFormatter({ language, timeZone: "" });
  return (
    <>
      <progress class="h-2 w-full accent-ink" aria-label={label} max={total} value={done.value} />
      <p role="status">{formatter.t(text, { done: done.value, total })}</p>
    </>
  );
}

async function readProgress(path: string): Promise<{ done: number; isRunning: boolean } | null> {
  try {
    const response = await fetch(path, { headers: { accept: "application/json" } });
    const body: unknown = await response.json();
    if (!response.ok || typeof body !== "object" || body === null) return null;
    return { done: Number(Reflect.get(body, "done")), isRunning: Reflect.get(body, "state") === "running" };
  } catch {
    return null;
  }
}
