/* Look-ups in the generated tables that are not hot enough to be inline. Called by the text format and by readers of
 * Any messages. */
#include "proto/message_table.h"

const struct sl_pb_field *sl_pb_field_by_name(const struct sl_pb_message *type, struct sl_str name) {
    const struct sl_pb_field *fields = &sl_pb_fields[type->first_field];
    for (size_t i = 0; i < type->field_count; i++)
        if (sl_str_is(name, sl_pb_name(fields[i].name))) return fields + i;
    return NULL;
}

const struct sl_pb_message *sl_pb_message_by_name(struct sl_str name) {
    for (size_t i = 0; i < sl_pb_message_count; i++)
        if (!sl_pb_messages[i].is_entry && sl_str_is(name, sl_pb_name(sl_pb_messages[i].name)))
            return &sl_pb_messages[i];
    return NULL;
}

const char *sl_pb_enum_name(const struct sl_pb_enum *type, int32_t number) {
    const struct sl_pb_enum_value *values = &sl_pb_enum_values[type->first_value];
    for (size_t i = 0; i < type->value_count && values[i].number <= number; i++)
        if (values[i].number == number) return sl_pb_name(values[i].name);
    return NULL;
}

bool sl_pb_enum_number(int32_t *number, const struct sl_pb_enum *type, struct sl_str name) {
    const struct sl_pb_enum_value *values = &sl_pb_enum_values[type->first_value];
    for (size_t i = 0; i < type->value_count; i++) {
        if (!sl_str_is(name, sl_pb_name(values[i].name))) continue;
        *number = values[i].number;
        return true;
    }
    return false;
}
