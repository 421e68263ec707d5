import { useEffect } from "react";
import { redirectFor } from "../../session/guard.ts";
import { useUnconfirmed, useWatchUnconfirmed } from "../../session/live/use-unconfirmed.ts";
import { useSession } from "../../session/session.ts";
import { useNavigate, useShown } from "../../ui/router/hooks.ts";
import { documentTitle } from "../../ui/title.ts";
import type { Page } from "../page.ts";
import { pageAt } from "../pages.ts";

/** The open page, for title and menu. */
export const useOpenPage = (): Page | undefined => pageAt(useShown().route.path);

const setIcon = (href: string) => {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
};

/** Shows the number of unconfirmed alerts in tab title and icon, also while another tab is in front. */
export const DocumentTitle = () => {
  useWatchUnconfirmed();
  const page = useOpenPage();
  const { label } = useUnconfirmed();
  const title = documentTitle(page?.title ?? "Page not found", label);
  const isLit = label !== "0";
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    setIcon(isLit ? "/mark-alarm.svg" : "/mark.svg");
    return () => setIcon("/mark.svg");
  }, [isLit]);
  return null;
};

/** Leaves a page that the role may no longer open: the role can change while the page is open. */
export const useLeaveForbiddenPage = (): void => {
  const { user } = useSession();
  const page = useOpenPage();
  const navigate = useNavigate();
  const elsewhere = page && redirectFor(user, page.needs);
  useEffect(() => {
    if (elsewhere) void navigate({ to: elsewhere, replace: true });
  }, [elsewhere, navigate]);
};
