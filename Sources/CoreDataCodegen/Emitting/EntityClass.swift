package import CoreDataModelFormat

/// The Swift class of an entity, as the model names it.
package struct EntityClass: Sendable, Hashable {
    /// As sources of the module write it: without the module's name or a leading dot.
    package var name: String

    package var path: [String] { name.split(separator: ".").map(String.init) }

    /// Nil for an entity without a class of its own.
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

    /// The class objects of that entity have in source.
    package func className(ofEntity name: String, module: String) -> String {
        entity(named: name).flatMap { EntityClass(of: $0, module: module)?.name } ?? "NSManagedObject"
    }
}
