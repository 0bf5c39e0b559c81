import type { ActivityData } from "@/lib/admin/activity/activity_data.ts";
import { formatBytes, unitOfBytes } from "@/lib/ui/format_bytes.ts";
import { useAdmin } from "../admin_view.ts";
import { BarTable } from "../charts/BarTable.tsx";
import { ChartSection } from "../charts/ChartSection.tsx";
import type { ChartWords } from "../charts/chart_words.ts";
import { countsOf, Summary, toTitleUnit } from "./section_parts.tsx";

const KINDS = ["image", "video", "audio", "document", "other"] as const;

interface FileSectionProps extends Pick<ActivityData, "files" | "stored"> {
  readonly csvPath: string;
}

/** Renders the size of uploaded files over time, and the stored size by kind. */
export function FileSection({ files: { chart, parts }, stored, csvPath }: FileSectionProps) {
  const { messages: { activity: text, organization }, formatter } = useAdmin();
  const toSize = (bytes: number) => formatBytes(formatter, organization.bytes, bytes);
  const most = Math.max(1, ...chart.places.map(({ count }) => count), ...chart.beforeCounts);
  const words: ChartWords = { amount: toSize, figure: toSize, none: text.noFiles, scale: unitOfBytes(most) };
  const amount = formatter.t(text.uploaded, { amount: toSize(chart.total) });
  return (
    <ChartSection
      id="files"
      title={text.filesTitle[toTitleUnit(chart)]}
      chart={chart}
      words={words}
      summary={<Summary chart={chart} amount={amount} isSize />}
      column={text.filesColumn}
      columns={countsOf(parts, { ...text.fileKinds, removed: text.removed })}
      advice={text.noFilesAdvice}
      csvPath={csvPath}
    >
      <h3 class="mt-6 mb-2">{text.storageTitle}</h3>
      <BarTable
        caption={text.storageTitle}
        titles={{ name: text.storageKind, bar: text.comparison, figure: text.size }}
        rows={KINDS.map((kind) => ({
          id: kind,
          name: text.fileKinds[kind],
          count: stored[kind],
          figure: toSize(stored[kind]),
        }))}
      />
    </ChartSection>
  );
}
