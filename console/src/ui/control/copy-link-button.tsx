import { IconLink } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { inform } from "../dialog/messages.ts";
import { Button } from "./button.tsx";

const copyLink = async () => {
  await navigator.clipboard.writeText(location.href);
  inform("The link is copied");
};

interface CopyLinkButtonProps {
  className?: string | undefined;
  children: ReactNode;
}

/** Copies the page's address. The clipboard exists only in secure contexts; elsewhere there is no button. */
export const CopyLinkButton = ({ className, children }: CopyLinkButtonProps): ReactNode =>
  "clipboard" in navigator && (
    <Button
      variant="default"
      size="xs"
      className={className ?? ""}
      leftSection={<IconLink size={16} stroke={1.8} aria-hidden />}
      onClick={() => void copyLink()}
    >
      {children}
    </Button>
  );
