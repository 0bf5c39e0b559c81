import { useEffect } from "preact/hooks";
import { useCopy } from "@/lib/client/copy.ts";
import { STATUS_BAR } from "@/lib/ui/class_names.ts";

/** Copies the texts of the page's buttons with `data-copy` and announces it. */
export default function CopyLinks({ done }: { done: string }) {
  const { outcome, copy } = useCopy();
  useEffect(() => {
    const listen = ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest("[data-copy]") : null;
      if (button !== null) void copy(button.getAttribute("data-copy") ?? "", done);
    };
    document.addEventListener("click", listen);
    return () => document.removeEventListener("click", listen);
  }, []);
  return <p role="status" class={outcome.value === "" ? "sr-only" : STATUS_BAR}>{outcome.value}</p>;
}
