public import Foundation
import Synchronization

/// The name by which models and mapping models find a class: `Module.Class`, `Module.Outer.Class`; a class of
/// the framework's has no module.
///
/// Foundation's function ends the program for classes that are nested or private; this one is taken for all
/// that inherit from `NSObject`. The name of a private class is found in the process that asked for it.
///
/// - Note: Differs from Apple: the runtime there gives nested and private classes mangled names.
public func NSStringFromClass(_ aClass: NSObject.Type) -> String {
    let name = _typeName(aClass)
    if name.hasPrefix("CoreData.") { return String(name.dropFirst("CoreData.".count)) }
    guard name.contains("(") else {
        // Its own classes alone have other names there, and to know them it reflects on all of them, once,
        // for as long as it takes to open a store.
        return name.hasPrefix("Foundation") && name.count(where: { $0 == "." }) == 1
            ? Foundation.NSStringFromClass(aClass) : name
    }
    let mangled = _mangledTypeName(aClass) ?? name
    ClassNames.note(aClass, under: mangled)
    return mangled
}

/// Classes that no lookup at run time finds: private ones by the names that were asked for, migration
/// policies by those that `@objc(Name)` gave them.
enum ClassNames {
    private static let table = Mutex<[String: NSObject.Type]>([:])

    static func note(_ type: NSObject.Type, under name: String) { table.withLock { $0[name] = type } }

    static func type(named name: String) -> NSObject.Type? { table.withLock { $0[name] } }
}
