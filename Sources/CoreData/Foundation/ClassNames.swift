public import Foundation
import Synchronization

/// Returns the name by which models and mapping models find a class: `Module.Class`, `Module.Outer.Class`; a
/// class of the framework's has no module.
///
/// Foundation's function ends the program for classes that are nested or private; this one is taken for all
/// that inherit from `NSObject`.
///
/// Unlike Apple's: a nested class is named by its outer types, and a private one by its mangled name without
/// Apple's prefix, which is found in the process that asked for it.
public func NSStringFromClass(_ aClass: NSObject.Type) -> String {
    let name = _typeName(aClass)
    if name.hasPrefix("CoreData.") { return String(name.dropFirst("CoreData.".count)) }
    guard name.contains("(") else {
        // Foundation's own classes alone have other names there. To know them it reflects on all of them,
        // once, which takes as long as opening a store.
        return name.hasPrefix("Foundation") && name.count(where: { $0 == "." }) == 1
            ? Foundation.NSStringFromClass(aClass) : name
    }
    let mangled = _mangledTypeName(aClass) ?? name
    ClassNames.note(aClass, under: mangled)
    return mangled
}

/// Classes that no look-up at run time finds: private ones by the names that were asked for, migration
/// policies by those that `@objc(Name)` gave them.
enum ClassNames {
    private static let table = Mutex<[String: NSObject.Type]>([:])

    static func note(_ type: NSObject.Type, under name: String) { table.withLock { $0[name] = type } }

    static func type(named name: String) -> NSObject.Type? { table.withLock { $0[name] } }
}
