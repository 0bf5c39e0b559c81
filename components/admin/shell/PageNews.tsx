import { QUIET_BUTTON } from "@/lib/ui/class_names.ts";
import { useAdmin } from "../admin_view.ts";

/**
 * Renders the templates of the two bars that report a change by another user; a script inserts one of them.
 * The bars float, so that the content never moves.
 */
export function PageNews() {
  const { news, messages: { shell } } = useAdmin();
  if (news === undefined) return null;
  return (
    <div id="page-news" role="status" data-path={news.path} data-position={news.position}>
      <NewsBar text={shell.news.changed} />
      <NewsBar text={shell.news.unsure} />
    </div>
  );
}

function NewsBar({ text }: { text: string }) {
  const { messages } = useAdmin();
  return (
    <template>
      <div class="fixed inset-x-4 bottom-4 z-10 mx-auto flex w-fit max-w-[calc(100%-2rem)] flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-panel border border-edge bg-raised py-2 ps-4 pe-2 font-medium shadow-[0_0.5rem_2rem_rgb(0_0_0/0.15)] lg:start-[16.5rem] print:hidden">
        {text}
        <button type="button" class={QUIET_BUTTON}>{messages.shell.news.show}</button>
      </div>
    </template>
  );
}
