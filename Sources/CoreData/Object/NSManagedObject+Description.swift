import CoreDataModelFormat
import CoreDataStore
import CoreDataValues
import Foundation

/// The printing of objects in the form of Apple's framework, without reading the store.
extension NSManagedObject {
    final var printed: String {
        let values = isFault ? "<fault>" : printedValues
        return "\(Printing.head(self)) (entity: \(runtime.name); id: \(objectID); data: \(values))"
    }

    private final var printedValues: String {
        let lines = runtime.slots.sorted(by: \.name).map {
            "    \($0.name) = \(printedValue($0));\n"
        }
        return "{\n\(lines.joined())}"
    }

    private final func printedValue(_ slot: PropertySlot) -> String {
        switch slot.kind {
        case .attribute: printedAttribute(slot)
        case .relationship: slot.isToMany ? printedToMany(slot) : printedToOne(slot)
        case .fetchedProperty:
            side(at: slot.index) == nil ? printedFault(slot, "fetched property") : "<fetched property>"
        }
    }

    /// Prints an attribute; a transformable one only if its value was made already, since printing runs no
    /// transformer.
    private final func printedAttribute(_ slot: PropertySlot) -> String {
        if let known = side(at: slot.index) as? SideValue { return Printing.value(known.value) }
        guard let column = slot.column, let row, !row.isNull(column) else { return "nil" }
        if slot.attribute?.type == .transformable { return Printing.value(row.data(column)) }
        return ValueBox.load(row, column: column, of: runtime, slot: slot).map(Printing.value) ?? "nil"
    }

    /// Prints a to-one relationship; the destination may be a fault, and stays one.
    private final func printedToOne(_ slot: PropertySlot) -> String {
        toOne(at: slot).map { Printing.quoted("\($0.objectID)") } ?? "nil"
    }

    private final func printedToMany(_ slot: PropertySlot) -> String {
        let members = toManyUnloaded(at: slot)
        guard members.isLoaded else { return printedFault(slot, "relationship") }
        let lines = members.array.map { "        \(Printing.quoted("\($0.objectID)"))" }
        return lines.isEmpty ? "(\n    )" : "(\n\(lines.joined(separator: ",\n"))\n    )"
    }

    private final func printedFault(_ slot: PropertySlot, _ kind: String) -> String {
        "\"<\(kind) fault: \(Printing.address(self)) '\(slot.name)'>\""
    }
}
