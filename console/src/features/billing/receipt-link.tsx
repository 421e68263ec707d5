import { IconDownload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import type { CallError } from "@telltale/contract/call/client";
import { orders } from "@telltale/contract/domains/billing";
import type { ReactNode } from "react";
import { showFailure } from "../../session/query.ts";
import { saveFile } from "../../session/save-file.ts";
import { Button } from "../../ui/control/button.tsx";

/** Saves the receipt of a paid order. */
export const ReceiptLink = ({ orderSn }: { orderSn: string }): ReactNode => {
  const { mutate, isPending } = useMutation<void, CallError>({
    mutationFn: () => saveFile(orders.receipt, { orderSn }),
    onError: showFailure,
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={isPending}
      leftSection={<IconDownload size={15} aria-hidden />}
      aria-label={`PDF receipt of order ${orderSn}`}
      onClick={() => mutate()}
    >
      PDF
    </Button>
  );
};
