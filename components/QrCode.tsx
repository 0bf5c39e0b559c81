import { type QrPath, toQrPath } from "@/lib/ui/qr_path.ts";

/** Renders a text as a QR code, dark on white in both color schemes, as cameras expect. */
export function QrCode(
  { text, label, code = toQrPath(text) }: { text: string; label: string; code?: QrPath },
) {
  const { size, path } = code;
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
      class="block aspect-square w-44 max-w-full rounded-control border border-rule"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#181b20" />
    </svg>
  );
}
