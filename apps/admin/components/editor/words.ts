/** What an editor says of its kind of item. */
export interface EditorWords {
  newTitle: string;
  create: string;
  failed: string;
  readOnly: string;
  conflictTitle: string;
  delete: string;
  deleteTitle: (id: string) => string;
  deleteText: string;
  deleted: (id: string) => string;
}
