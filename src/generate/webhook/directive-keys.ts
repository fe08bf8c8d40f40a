/** Begins the key that gives the order of a list. */
export const SET_ORDER = "$setElementOrder/";
/** Begins the key that names the elements to be taken out of a list. */
export const DELETE_LIST = "$deleteFromPrimitiveList/";
