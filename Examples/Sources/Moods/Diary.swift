import CoreData

/// Moods in an order of the user's own.
final class Diary: NSManagedObject {
    @NSManaged var title: String
    @NSManaged private(set) var moods: NSOrderedSet

    @NSManaged func addToMoods(_ value: Mood)
    @NSManaged func insertIntoMoods(_ value: Mood, at idx: Int)
    @NSManaged func removeFromMoods(at idx: Int)

    var allMoods: [Mood] { moods.array as? [Mood] ?? [] }

    func move(from source: Int, to destination: Int) {
        let moods = mutableOrderedSetValue(forKey: "moods")
        moods.moveObjects(at: IndexSet(integer: source), to: destination)
    }
}
