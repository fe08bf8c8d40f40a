export {
  addQuantities,
  approximateFloat,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  multiplyQuantity,
  negateQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantityToNumber,
  roundQuantity,
} from "./quantity.ts";
