import { avatarSize, notAPhoto, profile } from "@telltale/contract/domains/people/profile";

/** The part of a picture that is kept, in the picture's pixels. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The largest square in the middle. */
export const middleOf = ({ width, height }: ImageBitmap): Area => {
  const edge = Math.min(width, height);
  return { x: (width - edge) / 2, y: (height - edge) / 2, width: edge, height: edge };
};

/** What the file dialog offers. */
export const pictureTypes = ["image/jpeg", "image/png"];

/** A picture that was opened, or why it was not. */
type Opened = { picture: ImageBitmap; validationError?: never } | { picture?: never; validationError: string };

/** Opens a chosen file as the call will take it: JPG or PNG, at most 1 MB. A camera's turn is undone. (spec 2 §5) */
export const openPicture = async (file: File): Promise<Opened> => {
  if (!pictureTypes.includes(file.type)) return { validationError: notAPhoto };
  const checked = profile.upload.body?.safeParse({ file });
  if (checked?.success === false) return { validationError: checked.error.issues[0]?.message ?? notAPhoto };
  try {
    return { picture: await createImageBitmap(file) };
  } catch {
    return { validationError: notAPhoto };
  }
};

/** Fills a square canvas with the crop of the picture. */
export const drawCrop = (canvas: HTMLCanvasElement, picture: ImageBitmap, { x, y, width, height }: Area): void => {
  const context = canvas.getContext("2d");
  if (!context) return;
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, x, y, width, height, 0, 0, canvas.width, canvas.height);
};

/** The crop as the file that is uploaded, in the size that is kept. */
export const croppedFile = (picture: ImageBitmap, area: Area): Promise<Blob | null> => {
  const canvas = document.createElement("canvas");
  canvas.width = avatarSize;
  canvas.height = avatarSize;
  drawCrop(canvas, picture, area);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
};
