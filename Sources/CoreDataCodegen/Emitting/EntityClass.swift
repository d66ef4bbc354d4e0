package import CoreDataModelFormat

/// The Swift class that the model names for an entity.
package struct EntityClass: Sendable, Hashable {
    /// The name as the module's sources write it: without the module's name and without a leading dot.
    package var name: String

    package var path: [String] { name.split(separator: ".").map(String.init) }

    /// Makes the class of an entity; nil for an entity without a class of its own.
    package init?(of entity: EntityElement, module: String) {
        guard let written = entity.className, !written.isEmpty, written != "NSManagedObject" else {
            return nil
        }
        if written.hasPrefix(".") {
            name = String(written.dropFirst())
        } else if written.hasPrefix(module + ".") {
            name = String(written.dropFirst(module.count + 1))
        } else {
            name = written
        }
        if name.isEmpty { return nil }
    }
}

extension ModelDocument {
    package func entity(named name: String) -> EntityElement? {
        entities.first { $0.name == name }
    }

    /// Returns the name of the class that an entity's objects have in sources.
    package func className(ofEntity name: String, module: String) -> String {
        entity(named: name).flatMap { EntityClass(of: $0, module: module)?.name } ?? "NSManagedObject"
    }
}
