import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { copyText } from "@/lib/client/copy.ts";

interface CopyLinksProps {
  readonly copied: string;
  readonly failed: string;
}

const SHOWN_MS = 4000;

/** Makes every button with `data-copy` copy its text and announces the outcome. */
export default function CopyLinks({ copied, failed }: CopyLinksProps) {
  const status = useSignal("");
  const isCopied = useSignal(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const copy = async ({ target }: Event) => {
      const button = target instanceof Element ? target.closest<HTMLElement>("button[data-copy]") : null;
      if (button === null) return;
      clearTimeout(timer);
      // Emptied first, so that screen readers announce the same message again.
      status.value = "";
      isCopied.value = await copyText(button.dataset["copy"] ?? "");
      status.value = isCopied.value ? copied : failed;
      timer = setTimeout(() => status.value = "", SHOWN_MS);
    };
    document.addEventListener("click", copy);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("click", copy);
    };
  }, []);
  return (
    <p role="status" class={`min-h-6 text-small font-medium ${isCopied.value ? "text-good" : "text-accent"}`}>
      {status.value}
    </p>
  );
}
