import CoreDataModelFormat
import CoreDataValues
import Foundation
import Synchronization

/// The Swift classes of a model's entities, each found once.
final class ClassTable: Sendable {
    /// The metatype of one entity's class as a number, and whether the class that the model names was found.
    private final class Slot: Sendable {
        private let bits: Atomic<UInt>
        let isFound: Atomic<Bool>
        let isReported = Atomic(false)

        init(_ type: NSManagedObject.Type, isFound: Bool) {
            bits = Atomic(UInt(bitPattern: unsafeBitCast(type, to: Int.self)))
            self.isFound = Atomic(isFound)
        }

        var type: NSManagedObject.Type {
            unsafeBitCast(Int(bitPattern: bits.load(ordering: .relaxed)), to: NSManagedObject.Type.self)
        }

        func bind(_ type: NSManagedObject.Type) {
            bits.store(UInt(bitPattern: unsafeBitCast(type, to: Int.self)), ordering: .relaxed)
            isFound.store(true, ordering: .relaxed)
        }
    }

    private let slots: [Slot]
    private let names: [String]

    /// Finds the class of every entity.
    ///
    /// An entity whose class cannot be found has the class of its nearest ancestor that has one, in the end
    /// `NSManagedObject`, and the log says so.
    init(_ model: CompiledModel, source: URL?) {
        let finder = ClassFinder(source: source)
        var slots: [Slot] = []
        for entity in model.entities {
            let inherited = entity.superentity.map { slots[Int($0)].type } ?? NSManagedObject.self
            let name = entity.className ?? "NSManagedObject"
            if name == "NSManagedObject" {
                slots.append(Slot(NSManagedObject.self, isFound: true))
            } else if let found = finder.find(name) {
                slots.append(Slot(found, isFound: true))
            } else {
                slots.append(Slot(inherited, isFound: false))
            }
        }
        self.slots = slots
        names = model.entities.map { $0.className ?? "NSManagedObject" }
    }

    subscript(_ index: EntityIndex) -> NSManagedObject.Type {
        let slot = slots[Int(index)]
        if !slot.isFound.load(ordering: .relaxed) { reportMissing(index) }
        return slot.type
    }

    func isFound(_ index: EntityIndex) -> Bool { slots[Int(index)].isFound.load(ordering: .relaxed) }

    /// Returns the entities whose class this is.
    ///
    /// A call registers a class that could not be found by its name in the model: from then on it is the
    /// class of the entities that name it.
    func indexes(of type: NSManagedObject.Type) -> [EntityIndex] {
        let key = ObjectIdentifier(type)
        if let known = byClass.withLock({ $0[key] }) { return known }
        let found = search(type)
        byClass.withLock { $0[key] = found }
        return found
    }

    private let byClass = Mutex<[ObjectIdentifier: [EntityIndex]]>([
        ObjectIdentifier(NSManagedObject.self): []
    ])

    private func search(_ type: NSManagedObject.Type) -> [EntityIndex] {
        let bareName = _typeName(type, qualified: false)
        let indexes = slots.indices.filter { index in
            let slot = slots[index]
            if slot.isFound.load(ordering: .relaxed) { return slot.type == type }
            guard names[index].split(separator: ".").last.map(String.init) == bareName else { return false }
            slot.bind(type)
            return true
        }
        return indexes.map(EntityIndex.init)
    }

    private func reportMissing(_ index: EntityIndex) {
        let slot = slots[Int(index)]
        guard !slot.isReported.exchange(true, ordering: .relaxed) else { return }
        FrameworkLog.warning(
            "Unable to load class named '\(names[Int(index)])'. Class not found, using default "
                + "\(slot.type) instead.")
    }
}
