import { IconLink } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { inform } from "../dialog/messages.ts";
import type { SearchInput } from "../router/address.ts";
import { useRouter } from "../router/hooks.ts";
import { Button } from "./button.tsx";

interface CopyLinkButtonProps {
  className?: string | undefined;
  /** What is shown and the address does not say. */
  search?: SearchInput;
  children: ReactNode;
}

/** Copies a link to what the page shows. The clipboard exists only in secure contexts; elsewhere there is no button. */
export const CopyLinkButton = ({ className, search, children }: CopyLinkButtonProps): ReactNode => {
  const router = useRouter();
  const copyLink = async () => {
    const link = router.hrefOf({ search: (now) => ({ ...now, ...search }) });
    await navigator.clipboard.writeText(`${location.origin}${link}`);
    inform("The link is copied");
  };
  return (
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
    )
  );
};
