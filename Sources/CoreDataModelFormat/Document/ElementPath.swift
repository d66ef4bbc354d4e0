/// The paths in diagnostics of elements other than entities and properties. Those have the paths `Entity` and
/// `Entity.property`.
package enum ElementPath {
    package static func fetchRequest(_ name: String) -> String { "fetchRequest:\(name)" }
    package static func configuration(_ name: String) -> String { "configuration:\(name)" }
    package static func composite(_ name: String) -> String { "composite:\(name)" }
    package static func fetchIndex(_ name: String, of entity: String) -> String { "\(entity).index:\(name)" }
}
