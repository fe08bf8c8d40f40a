/** Prefix of the key that sets the order of a list. */
export const SET_ORDER = "$setElementOrder/";
/** Prefix of the key that lists elements to remove from a list. */
export const DELETE_LIST = "$deleteFromPrimitiveList/";
