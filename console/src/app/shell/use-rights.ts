import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useSession } from "../../session/session.ts";
import { detour } from "../guard.ts";
import { useOpenPage } from "./telltale.tsx";

/** Leaves a page that the role does not open any more: somebody may change it while the page is open. */
export const useRights = (): void => {
  const { user } = useSession();
  const page = useOpenPage();
  const navigate = useNavigate();
  const elsewhere = page && detour(user, page.needs);
  useEffect(() => {
    if (elsewhere) void navigate({ to: elsewhere, replace: true });
  }, [elsewhere, navigate]);
};
