import { useMatches, useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { detour } from "../../session/guard.ts";
import { useUnconfirmed, useWatchUnconfirmed } from "../../session/live/use-unconfirmed.ts";
import { useSession } from "../../session/session.ts";
import { documentTitle } from "../../ui/title.ts";

/** The page that is open, for title and menu. */
export const useOpenPage = () =>
  useMatches({ select: (matches) => matches.findLast(({ staticData }) => staticData.page)?.staticData.page });

const setIcon = (href: string) => {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
};

/** Tells by tab title and icon what waits for confirmation, also while another tab is in front. */
export const Telltale = () => {
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
