public import Foundation
import Synchronization

/// Returns the name by which models and mapping models find a class: `Module.Class`, `Module.Outer.Class`; a
/// class of the framework has no module in its name.
///
/// Foundation's function ends the program for classes that are nested or private; overload resolution prefers
/// this one for all classes that inherit from `NSObject`.
///
/// Unlike Apple's: a nested class is named by its outer types, and a private one by its mangled name without
/// Apple's prefix, by which a class is found only in the process that asked for the name.
public func NSStringFromClass(_ aClass: NSObject.Type) -> String {
    let name = _typeName(aClass)
    if name.hasPrefix("CoreData.") { return String(name.dropFirst("CoreData.".count)) }
    guard name.contains("(") else {
        // Only Foundation's own classes have other names in Foundation's function, which reflects on all of
        // them at the first call. That takes as long as opening a store.
        return name.hasPrefix("Foundation") && name.count(where: { $0 == "." }) == 1
            ? Foundation.NSStringFromClass(aClass) : name
    }
    let mangled = _mangledTypeName(aClass) ?? name
    ClassNames.note(aClass, under: mangled)
    return mangled
}

/// Classes that the runtime does not find by name: private ones, by the names that `NSStringFromClass`
/// returned, and migration policies, by their names in `@objc(Name)`.
enum ClassNames {
    private static let table = Mutex<[String: NSObject.Type]>([:])

    static func note(_ type: NSObject.Type, under name: String) { table.withLock { $0[name] = type } }

    static func type(named name: String) -> NSObject.Type? { table.withLock { $0[name] } }
}
